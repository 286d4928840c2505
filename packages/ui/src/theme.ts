/** The theme of the page: the system's, or the one that the user chose. */
import { effect, signal } from '@preact/signals';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'theme';

export const theme = signal<Theme>(kept());

/** Applies the theme to the document, and stores it for the next visit. Call it once. */
export function followTheme(): void {
  effect(() => {
    const { value } = theme;
    if (value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    try {
      localStorage.setItem(KEPT, value);
    } catch {
      // A browser that stores nothing: the choice ends with the page.
    }
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}

function kept(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEPT)) ?? 'system';
  } catch {
    return 'system';
  }
}
