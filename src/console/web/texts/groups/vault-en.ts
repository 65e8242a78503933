export * from '../en/vault.ts';
