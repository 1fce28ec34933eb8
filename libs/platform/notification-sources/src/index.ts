export { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';
export { defineNotifications, notificationSources, type NotificationSource } from './notification-sources.js';
