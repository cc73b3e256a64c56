import unittest

from program import ProgramTest


class Methods(ProgramTest):
    def test_list_and_json_agree(self):
        names = [method["name"] for method in self.json("methods")["methods"]]
        self.assertLessEqual({"svd", "pca", "tsm"}, set(names))
        listed = [line.split()[0] for line in self.succeeds("methods").splitlines()[:-1]]
        self.assertEqual(listed, names)

    def test_one_method_shows_every_option_with_its_default_help_and_source(self):
        method = self.json("methods", "tsm")
        text = self.succeeds("methods", "tsm")
        self.assertIn(method["source"], text)
        self.assertGreater(len(method["options"]), 3)
        for option in method["options"]:
            self.assertTrue(option["help"])
            self.assertIn("--" + option["name"], text)
            self.assertIn(option["help"], text)

    def test_every_option_of_every_method_is_a_flag_of_embed(self):
        text = self.succeeds("embed", "--help")
        for method in self.json("methods")["methods"]:
            for option in method["options"]:
                self.assertIn("--" + option["name"], text)


if __name__ == "__main__":
    unittest.main()
