import type { Plugin } from 'esbuild';
import { buildPage } from '../../admin/build.ts';

/** Bundles the admin page into the functions that serve it, in place of admin/files.ts. */
const pageFiles: Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /[/\\]admin[/\\]files\.ts$/ }, async () => {
      const { names, files } = await buildPage(build.esbuild.build);
      const contents = `export const PAGE_NAMES = ${JSON.stringify(names)};\nexport const PAGE_FILES = ${JSON.stringify(files)};`;
      return { contents, loader: 'js' };
    });
  },
};

export default pageFiles;
