"""Games as pages to send around: made, judged by the page's own script and by `verify`, and tampered with."""
