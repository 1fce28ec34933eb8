import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { PRODUCT_COLOR } from '../ui/color';

const indigo: MantineColorsTuple = [
  '#eef3ff',
  '#dce4f5',
  '#b9c7e2',
  '#94a8d0',
  '#748dc1',
  '#5f7cb8',
  '#5474b4',
  '#44639f',
  '#39588f',
  PRODUCT_COLOR,
];

/** The theme. All text has a contrast of at least 4.5:1 in light and dark mode (WCAG 2.2 AA). */
export const theme = createTheme({
  colors: { indigo },
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  respectReducedMotion: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1.02rem' } } },
  // `ModalHeader.extend` would load the dialogs on the sign-in pages.
  components: {
    // Prevents a button from shrinking next to a long text, and from being wider than a narrow screen.
    Button: { styles: { root: { flexShrink: 0, maxWidth: '100%' } } },
    // A `header` element would be a banner landmark for screen readers.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    ModalTitle: { defaultProps: { fw: 650 } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
});

const TINTS = ['red', 'orange', 'yellow', 'green', 'blue', 'gray', 'indigo'];
const tinted = (value: (color: string) => string): Record<string, string> =>
  Object.fromEntries(TINTS.map((color) => [`--mantine-color-${color}-light-color`, value(color)]));

/**
 * Overrides colors of Mantine that have too little contrast: dimmed text, placeholders, errors, text on tints (4.5:1), and the borders of
 * fields (3:1). In dark mode, the borders of fields and of everything else have one color.
 */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-9)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-gray-4': '#868e96',
    '--mantine-color-default-border': '#ced4da',
    ...tinted((color) => `color-mix(in srgb, var(--mantine-color-${color}-9) 60%, black)`),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-dark-4': '#737373',
    '--menu-item-hover': 'var(--mantine-color-dark-5)',
    ...tinted((color) => `var(--mantine-color-${color}-2)`),
  },
});
