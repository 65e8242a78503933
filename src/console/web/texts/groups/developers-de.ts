export * from '../de/developers.ts';
