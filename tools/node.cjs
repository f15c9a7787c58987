// Ends the process with one sentence where Node cannot run the sources. Plain JavaScript, which an old Node can read.
const { features, versions } = process;
if (!features.typescript) {
  console.error(`This project needs Node 22.18 or newer, and this is Node ${versions.node}. AWS runs it on Node 24.`);
  process.exit(1);
}
