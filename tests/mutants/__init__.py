"""The proof that the gate works: thousands of small edits of the real lesson, each tried."""
