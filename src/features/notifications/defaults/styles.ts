// Mail programs read styles of elements alone.

/** Of a whole mail. */
export const FRAME =
  'style="max-width: 560px; margin: 0 auto; padding: 16px; color: #1c1c1c; font-family: Arial, Helvetica, sans-serif; font-size: 16px; line-height: 1.5"';

/** Of the link that a mail is sent for. */
export const BUTTON =
  'style="display: inline-block; padding: 10px 20px; background-color: #1d4ed8; color: #ffffff; border-radius: 6px; text-decoration: none"';
