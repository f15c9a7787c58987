// The framework loads esbuild's plugins as CommonJS.
module.exports = require('./validators.ts').default;
