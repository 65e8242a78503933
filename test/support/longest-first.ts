import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Small files that go through every operation. Each takes minutes; all other files take less the
// smaller they are, roughly.
const longest = [
  'test/rest/idempotent-writes.test.ts',
  'test/rest/dry-run.test.ts',
  'test/rest/parity.test.ts',
  'test/contract/contract.test.ts',
  'test/rest/recorded-examples.test.ts',
];

/**
 * Starts the longest test files first. One of them that starts last keeps a single worker busy
 * while the others have nothing to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) =>
      longest.some((file) => moduleId.endsWith(file));
    const others = await super.sort(files.filter((file) => !isLongest(file)));
    return [...files.filter(isLongest), ...others];
  }
}
