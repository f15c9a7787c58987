// The framework loads esbuild's plugins as CommonJS; tsx lets them be TypeScript.
module.exports = require('tsx/cjs/api').require('./validators.ts', __filename).default;
