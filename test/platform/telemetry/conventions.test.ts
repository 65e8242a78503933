import { readFileSync } from 'node:fs';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { describe, expect, it } from 'vitest';
import { conventionsVersion } from '../../../src/platform/telemetry/conventions.ts';
import { histograms } from '../../../src/platform/telemetry/measurements.ts';

const source = readFileSync(
  new URL('../../../src/platform/telemetry/conventions.ts', import.meta.url),
  'utf8',
);
const attributeNames = [...source.matchAll(/^ {2}\| '([^']+)'/gm)].map(([, name]) => name);
const official: ReadonlySet<unknown> = new Set(Object.values(conventions));

describe('the semantic conventions', () => {
  it('have the version of the official package that the tests install', () => {
    const { devDependencies } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    expect(devDependencies['@opentelemetry/semantic-conventions']).toBe(conventionsVersion);
  });

  it.each(attributeNames)('name the attribute %s', (name) => {
    expect(official).toContain(name);
  });

  it.each(Object.keys(histograms))('name the metric %s', (name) => {
    expect(official).toContain(name);
  });
});
