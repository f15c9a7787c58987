// Loaded before a service (`node --require`). At the first SIGUSR2 it records the objects that all code shares, at later ones it
// prints what has changed since.
const { differences, snapshot } = require('tsx/cjs/api').require('./realm.ts', __filename);

let before;
process.on('SIGUSR2', () => {
  if (before) process.stdout.write(`realm: ${JSON.stringify(differences(before))}\n`);
  else {
    before = snapshot();
    process.stdout.write('realm: noted\n');
  }
});
