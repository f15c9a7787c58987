/** More is not needed to recognise it. */
const MOST = 60;

/**
 * A text that another host or an address says: anybody may have made the link. It stands in quotation marks, and is short, so that nobody
 * takes it for a sentence of this page.
 */
export const Quoted = ({ text }: { text: string }) => <q>{text.length > MOST ? `${text.slice(0, MOST)}…` : text}</q>;
