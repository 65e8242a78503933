export * from '../en/auth.ts';
export * from '../en/sponsored.ts';
