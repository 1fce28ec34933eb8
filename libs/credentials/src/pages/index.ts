export { type FormFields, type Shown, showPage, takeForm, typingProblem } from './page-answers.js';
export {
  accountField,
  type FormRefusal,
  formPage,
  newPasswordFields,
  noticePage,
  type PageLook,
  tokenField,
} from './page-layout.js';
