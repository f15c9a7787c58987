import { build } from 'esbuild';
import { buildPage, type PageFiles } from './build.ts';

/** The files of the page. A bundled function has them ready (lib/tooling/deploy/pageFiles.ts), without this module. */
export const PAGE: PageFiles = (await buildPage(build)).page;
