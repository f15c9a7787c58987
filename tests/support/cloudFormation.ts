import { type CollectionTag, parse, type ScalarTag } from 'yaml';
import { read } from './files.ts';

/** Functions of a template in their long form, such as `Fn::Sub` for `!Sub`. */
const longForms = ['Ref', 'Sub', 'GetAtt', 'Equals', 'Not', 'If', 'Select', 'Split'].flatMap(
  (name): (ScalarTag | CollectionTag)[] => {
    const key = name === 'Ref' ? name : `Fn::${name}`;
    return [
      { tag: `!${name}`, resolve: (text) => ({ [key]: text }) },
      { tag: `!${name}`, collection: 'seq', resolve: (list) => ({ [key]: list.toJSON() }) },
    ];
  },
);

/** A template that CloudFormation takes as it is, by its path. */
export const readTemplate = (file: string) => parse(read(file), { customTags: longForms });
