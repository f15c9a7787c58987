import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foldCase } from '../../lib/replica/text.ts';
import { KEYWORD_FIELD, KINDS } from '../../lib/users/fields.ts';

// What Fn::Sub replaces does not matter here.
const { Resources } = parse(readFileSync('docs/opensearch.yml', 'utf8'), { logLevel: 'silent' });
const body: string = Resources.Pipeline.Properties.PipelineConfigurationBody;
const [{ opensearch }] = parse(body.replaceAll(/\$\{[^!].*?\}/g, 'some')).users.sink;
const { settings, mappings } = JSON.parse(opensearch.template_content).template;

test('each field is compared in OpenSearch as its kind is here', () => {
  const [{ texts }] = mappings.dynamic_templates;
  const mapped = Object.keys(KINDS).map((field) => [field, mappings.properties[field] ?? texts.mapping]);
  const text = { type: 'keyword', normalizer: 'folded', fields: { exact: { type: 'keyword' } } };
  const parts = { parts: { type: 'wildcard', normalizer: 'folded' } };
  const wanted = Object.entries(KINDS).map(([field, kind]) => {
    if (kind === 'number') return [field, { type: 'integer' }];
    const isSearched = field === KEYWORD_FIELD;
    return [field, isSearched ? { ...text, fields: { ...text.fields, ...parts } } : text];
  });
  expect(mapped).toEqual(wanted);
});

test('its normalizer folds each letter as it is folded here, but Cherokee and Greek with a iota below', () => {
  const { analysis } = settings;
  expect(analysis.normalizer.folded).toEqual({
    type: 'custom',
    char_filter: ['composed', 'longer'],
    filter: ['lowercase', 'uppercase', 'lowercase'],
  });
  const longer = new Map<string, string>(
    analysis.char_filter.longer.mappings.map((each: string) => each.split(' => ')),
  );
  // What the engine does with a character: a longer form only by the mappings.
  const simple = (text: string, change: (letter: string) => string) =>
    [...text].map((letter) => ([...change(letter)].length === 1 ? change(letter) : letter)).join('');
  const folded = (letter: string) => {
    const composed = letter.normalize('NFC');
    const lower = simple(longer.get(composed) ?? composed, (each) => each.toLowerCase());
    const upper = simple(lower, (each) => each.toUpperCase());
    return simple(upper, (each) => each.toLowerCase());
  };
  const letters = Array.from({ length: 0x2_0000 }, (_, point) => String.fromCodePoint(point)).filter((letter) =>
    letter.isWellFormed(),
  );
  const others = letters.filter((letter) => folded(letter) !== foldCase(letter));
  expect(others.filter((letter) => !/\p{Script=Cherokee}|[\u1f80-\u1fff]/u.test(letter))).toEqual([]);
});
