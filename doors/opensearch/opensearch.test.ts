import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folded as foldedAs } from '../../lib/columns/index.ts';
import { foldAddress } from '../../lib/users/mailbox.ts';
import { KEYWORD_FIELD, KINDS } from '../../lib/users/user.ts';
import { readYaml } from '../../tests/support/files.ts';

// The texts that Fn::Sub replaces do not matter here.
const { Resources } = readYaml('doors/opensearch/template.yml');
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
    if (kind === 'address') return [field, { ...text, normalizer: 'address' }];
    const isSearched = field === KEYWORD_FIELD;
    return [field, isSearched ? { ...text, fields: { ...text.fields, ...parts } } : text];
  });
  expect(mapped).toEqual(wanted);
});

const LETTERS = Array.from({ length: 0x2_0000 }, (_, point) => String.fromCodePoint(point)).filter((letter) =>
  letter.isWellFormed(),
);

test('its normalizer of addresses folds each letter as it is folded here, but those with two small forms, İ and the Kelvin sign', () => {
  expect(settings.analysis.normalizer.address).toEqual({
    type: 'custom',
    char_filter: ['composed'],
    filter: ['lowercase'],
  });
  // Java folds one character to one.
  const folded = (letter: string) => letter.normalize('NFC').replace('İ', 'i').toLowerCase();
  const others = LETTERS.filter((letter) => folded(letter) !== foldAddress(letter));
  const known = /\p{Script=Cherokee}|[\u0345\u037e\u1c80-\u1c88\u1fefµİςϐϑϕϖϰϱϵẛ\u212aﬅ]/u;
  expect(others.filter((letter) => !known.test(letter))).toEqual([]);
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
  // The engine replaces a character by a character: a longer form comes only from the mappings.
  const simple = (text: string, change: (letter: string) => string) =>
    [...text].map((letter) => ([...change(letter)].length === 1 ? change(letter) : letter)).join('');
  const folded = (letter: string) => {
    const composed = letter.normalize('NFC');
    const lower = simple(longer.get(composed) ?? composed, (each) => each.toLowerCase());
    const upper = simple(lower, (each) => each.toUpperCase());
    return simple(upper, (each) => each.toLowerCase());
  };
  const others = LETTERS.filter((letter) => folded(letter) !== foldedAs('text', letter));
  expect(others.filter((letter) => !/\p{Script=Cherokee}|[\u1f80-\u1fff]/u.test(letter))).toEqual([]);
});
