// Ends the process with one sentence where Node cannot run the sources. Plain JavaScript, which an old Node can read.

/** @returns {string | undefined} why this Node cannot run the sources, if it cannot */
const refusalOf = ({ features, versions }) =>
  features.typescript
    ? undefined
    : `This project needs Node 22.18 or newer, and this is Node ${versions.node}. AWS runs it on Node 24.`;

const refusal = refusalOf(process);
if (refusal) {
  console.error(refusal);
  process.exit(1);
}

module.exports = { refusalOf };
