import unittest

from program import OVER_LIMIT, ProgramTest

MEGABYTE = 1000000


class Memory(ProgramTest):
    def test_the_peak_is_the_process_s_own_and_not_its_parent_s(self):
        """What getrusage tells, a program inherits from the one that starts it."""
        fat = bytearray(300 * MEGABYTE)
        fat[:: 4096] = b"x" * len(fat[:: 4096])
        told = self.json("generate", "sphere", "-o", "x.npy", "--count", 10)
        self.assertEqual(len(fat), 300 * MEGABYTE)
        self.assertLess(told["peak_memory_bytes"], 200 * MEGABYTE)

    def test_the_statement_has_the_input_unless_it_is_mapped(self):
        for name, held in [("x.npy", 0), ("x.fvecs", 1), ("x.csv", 2)]:
            with self.subTest(input=name):
                self.succeeds("generate", "sphere", "-o", name, "--count", 2000, "--dim", 50)
                stated = self.json("threshold", name)["stated_memory_bytes"]
                mapped = self.json("threshold", "x.npy")["stated_memory_bytes"]
                self.assertEqual(stated - mapped, held * 2000 * 50 * 4)


if __name__ == "__main__":
    unittest.main()
