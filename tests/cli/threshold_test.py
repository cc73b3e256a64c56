import unittest

from program import USAGE, ProgramTest


class Threshold(ProgramTest):
    def setUp(self):
        super().setUp()
        self.digits(400)

    def test_higher_sparsity_means_a_higher_threshold(self):
        low = self.json("threshold", "digits.npy", "--sparsity", 0.8)
        high = self.json("threshold", "digits.npy", "--sparsity", 0.99)
        self.assertLess(low["threshold"], high["threshold"])
        self.assertGreater(low["threshold_degrees"], high["threshold_degrees"])
        self.assertAlmostEqual(high["sparsity"], 0.99, delta=0.01)
        self.assertEqual(high["options"]["sparsity"], 0.99)

    def test_histograms_are_shares(self):
        result = self.json("threshold", "digits.npy")
        self.assertEqual(len(result["nearest"]), 180)
        self.assertAlmostEqual(sum(result["nearest"]), 1.0, places=6)
        self.assertAlmostEqual(sum(result["all"]), 1.0, places=6)

    def test_a_given_threshold_is_shown_not_chosen(self):
        result = self.json("threshold", "digits.npy", "--threshold", 0.75)
        self.assertEqual(result["threshold"], 0.75)
        self.assertEqual(result["options"]["threshold"], 0.75)
        chosen = self.json("threshold", "digits.npy")
        self.assertEqual(result["advised_threshold"], chosen["advised_threshold"])

    def test_the_chart_has_two_columns_and_marks_the_threshold_once(self):
        text = self.succeeds("threshold", "digits.npy")
        self.assertIn("to the nearest neighbour", text)
        self.assertIn("between all pairs", text)
        self.assertEqual(text.count("< threshold"), 1)
        self.assertTrue(any(line.count("#") > 10 for line in text.splitlines()))

    def test_bounds(self):
        self.fails(USAGE, "threshold", "digits.npy", "--sparsity", 1.5, says=["--sparsity", 1.5])
        self.fails(USAGE, "threshold", "digits.npy", "--threshold", 0, says=["--threshold", "above 0"])
        self.fails(USAGE, "threshold", "digits.npy", "--threshold", -0.5, says=["--threshold", -0.5])


if __name__ == "__main__":
    unittest.main()
