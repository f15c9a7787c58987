import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { buildPage } from '../../../admin/build.ts';

const { names, files } = await buildPage(build);

const contentOf = (name: string): string => files[name]?.content ?? '';

const bytesOf = (...contents: string[]): number => contents.reduce((sum, each) => sum + Buffer.byteLength(each), 0);

test('the page has one script, one for sign-in, one style, and the licences of what is in them', () => {
  const { script, signIn, style, licences } = names;
  expect(Object.keys(files).toSorted()).toEqual([script, signIn, style, licences].toSorted());
  for (const name of [script, signIn, style]) {
    expect(contentOf(name).split('\n')[0]).toBe(`/*! Licences: ${licences} */`);
  }
  const texts = contentOf(licences);
  expect(texts.match(/^\S+ [\d.]+ \((?:MIT|Apache-2\.0)\)$/gm)?.map((line) => line.split(' ')[0])).toEqual([
    ...['@knadh/oat', 'oauth4webapi', 'preact'],
  ]);
  expect(texts.match(/^Permission is hereby granted|^ *Apache License$/gm)).toHaveLength(3);
});

/** In bytes. Where a change makes the page smaller, its bound goes down with it. */
test('the page stays small: its script before the first list, all scripts, all styles, and what is sent of all', () => {
  const { script, signIn, style } = names;
  const scripts = Object.keys(files).filter((name) => name.endsWith('.js'));
  expect(bytesOf(contentOf(script))).toBeLessThan(121_400);
  expect(bytesOf(...scripts.map(contentOf))).toBeLessThan(140_520);
  expect(bytesOf(contentOf(style))).toBeLessThan(40_200);
  const sent = [script, signIn, style].map((name) => gzipSync(contentOf(name)).length);
  expect(sent.reduce((sum, each) => sum + each)).toBeLessThan(63_800);
});
