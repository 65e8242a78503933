export * from '../en/auth.ts';
export * from '../en/branding.ts';
export * from '../en/sponsored.ts';
