const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4b99"/><path d="M23 10H9v12h14M9 16h10" fill="none" stroke="#fff" stroke-width="3"/></svg>';

/** The icon of all pages, in the page itself: no page asks for a file of its own. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;
