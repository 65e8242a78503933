export * from '../de/home.ts';
