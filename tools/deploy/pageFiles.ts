import type { BuildFailure, Plugin } from 'esbuild';
import { buildPage } from '../../admin/build.ts';

/** Bundles the admin page into the functions that serve it, in place of admin/files.ts. */
const pageFiles: Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /[/\\]admin[/\\]files\.ts$/ }, async () => {
      try {
        const { names, files, sources } = await buildPage(build.esbuild.build);
        const contents = `export const PAGE_NAMES = ${JSON.stringify(names)};\nexport const PAGE_FILES = ${JSON.stringify(files)};`;
        return { contents, loader: 'js', watchFiles: sources };
      } catch (error) {
        return { errors: (error as BuildFailure).errors };
      }
    });
  },
};

export default pageFiles;
