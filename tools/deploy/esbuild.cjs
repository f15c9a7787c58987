// The framework loads esbuild's plugins as CommonJS.
module.exports = ['./validators.ts', './pageFiles.ts'].map((file) => require(file).default);
