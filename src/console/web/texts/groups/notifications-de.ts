export * from '../de/notifications.ts';
