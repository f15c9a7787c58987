// The framework loads esbuild's plugins as CommonJS. With tsx they can be TypeScript.
module.exports = require('tsx/cjs/api').require('./validators.ts', __filename).default;
