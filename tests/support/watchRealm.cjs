// Loaded before a service (`node --require`). The first SIGUSR2 makes it record the objects that all code shares. Later ones make
// it print what has changed since.
const { differences, snapshot } = require('./realm.ts');

let before;
process.on('SIGUSR2', () => {
  if (before) process.stdout.write(`realm: ${JSON.stringify(differences(before))}\n`);
  else {
    before = snapshot();
    process.stdout.write('realm: noted\n');
  }
});
