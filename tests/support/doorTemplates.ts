import { globSync } from 'node:fs';
import { readTemplate } from './cloudFormation.ts';
import { ROOT } from './files.ts';

/** The templates of doors without code, each with its resources by name. */
export const doorTemplates = () =>
  globSync('doors/*/template.yml', { cwd: ROOT })
    .sort()
    .map((file) => {
      const template = readTemplate(file);
      const resources = Object.entries<ReturnType<typeof readTemplate>>(template.Resources);
      const ofType = (type: string) => resources.filter(([, { Type }]) => Type === `AWS::${type}`);
      return { file, parameters: template.Parameters, resources, ofType };
    });
