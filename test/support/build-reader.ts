// Tests that read documents start the bundle of the reader, also when vitest is started directly.
export { buildReader as setup } from '../../src/build/reader.ts';
