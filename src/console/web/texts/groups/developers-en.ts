export * from '../en/developers.ts';
