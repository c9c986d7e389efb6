"""Recognise and track cards on a mat: frames in, labelled positions out; the rules of games are not known here."""
