// serverless.yml loads it before it knows any plugin.
require('../node.cjs');
module.exports = ({ options }) => require('./region.ts').findRegion(options.region, options['aws-profile']);
