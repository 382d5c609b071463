"""Ways to learn, as frozen records, and which game each fits."""
