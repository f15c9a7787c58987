import { build } from 'esbuild';
import { buildPage, type PageFile, type PageNames } from './build.ts';

/** Bundled functions have what they need of this ready (tools/deploy/bundle.ts), without this module. */
const page = await buildPage(build);

export const PAGE_NAMES: PageNames = page.names;
export const PAGE_FILES: Readonly<Record<string, PageFile>> = page.files;
