"""What recognition computes of a deck is computed once in a process, not by each tracker that reads the same deck."""

from unittest.mock import patch

import pytest

from tests.vision.taught import features
from vision.tracking import card_reader


@pytest.fixture(scope="package", autouse=True)
def features_once():
    with patch.object(card_reader, "DeckFeatures", features):
        yield
