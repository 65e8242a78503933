export * from '../de/vault.ts';
