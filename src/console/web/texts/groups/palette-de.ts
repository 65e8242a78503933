export * from '../de/palette.ts';
