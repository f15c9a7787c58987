/** What a button says, or its sign on a phone. The button needs a label. */
export const Short = ({ text, sign }: { text: string; sign: string }) => (
  <>
    <span class="wide">{text}</span>
    <span class="narrow">{sign}</span>
  </>
);
