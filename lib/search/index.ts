export { countsOf, MOST_GROUPS, TOO_MANY } from './counts.ts';
export { createEngine, type Engine } from './engine.ts';
export { type Shape, WINDOW } from './fields.ts';
export { createIndexing } from './indexing.ts';
export { type List, pageOf, streamOf, TOO_FAR, totalOf, walkFrom } from './pages.ts';
export { queryOf } from './query.ts';
export { signerOf } from './sign.ts';
export { pointOf, type View, viewOf } from './view.ts';
