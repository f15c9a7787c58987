// Loaded before a service (`node --require`): at each SIGUSR2 it collects garbage and prints how many bytes are left.
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`\nheap: ${heapUsed + external}\n`);
});
