// The framework loads plugins as CommonJS; tsx lets this one be TypeScript.
module.exports = require('tsx/cjs/api').require('./plugin.ts', __filename).default;
