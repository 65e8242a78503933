export * from '../de/assistants.ts';
export * from '../de/chat.ts';
export * from '../de/feedback.ts';
export * from '../de/files.ts';
export * from '../de/sharing.ts';
export * from '../de/templates.ts';
export * from '../de/versions.ts';
