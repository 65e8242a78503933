export * from '../en/frame.ts';
export * from '../en/session.ts';
export * from '../en/ui.ts';
