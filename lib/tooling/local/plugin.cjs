// The framework loads plugins as CommonJS. With tsx this one can be TypeScript.
module.exports = require('tsx/cjs/api').require('./plugin.ts', __filename).default;
