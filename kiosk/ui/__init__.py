"""The touchscreen, in Kivy: one screen per pair of .py and .kv; a function of TableView, sending requests."""
