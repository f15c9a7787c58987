// The framework loads plugins as CommonJS.
require('../node.cjs');
module.exports = require('./plugin.ts').default;
