import type { BuildFailure, Plugin } from 'esbuild';
import { buildPage } from '../../admin/build.ts';

/** Bundles the admin page into the functions that serve it, in place of lib/admin/files.ts. */
const pageFiles: Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /[/\\]lib[/\\]admin[/\\]files\.ts$/ }, async () => {
      try {
        const { page, sources } = await buildPage(build.esbuild.build);
        return { contents: `export const PAGE = ${JSON.stringify(page)};`, loader: 'js', watchFiles: sources };
      } catch (error) {
        return { errors: (error as BuildFailure).errors };
      }
    });
  },
};

export default pageFiles;
