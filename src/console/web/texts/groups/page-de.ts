// Errors of the API have English messages; other languages need those of the codes.
export * from '../de/faults.ts';
export * from '../de/fields.ts';
export * from '../de/frame.ts';
export * from '../de/session.ts';
export * from '../de/ui.ts';
