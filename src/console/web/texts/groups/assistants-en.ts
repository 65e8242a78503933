export * from '../en/assistants.ts';
export * from '../en/chat.ts';
export * from '../en/feedback.ts';
export * from '../en/files.ts';
export * from '../en/sharing.ts';
export * from '../en/templates.ts';
export * from '../en/versions.ts';
