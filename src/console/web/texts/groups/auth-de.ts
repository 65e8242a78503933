export * from '../de/auth.ts';
export * from '../de/sponsored.ts';
