export { type FormFields, type Shown, showPage, takeForm } from './page-answers.js';
export {
  accountField,
  type FormRefusal,
  formPage,
  newPasswordFields,
  noticePage,
  type PageLook,
  tokenField,
} from './page-layout.js';
export { type PasswordPage, showPasswordPage, takePasswordForm } from './password-page.js';
